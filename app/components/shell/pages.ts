import {
  Cable,
  CircleFadingArrowUp,
  FlaskConical,
  History,
  LayoutGrid,
  type LucideIcon,
  MapPin,
  Route,
  ShieldBan,
  SlidersHorizontal,
  UsersRound,
} from 'lucide-react';
import type { Catalog } from '@/messages/catalog.ts';
import type { Permission } from '../../../proxy/control/contract.ts';

export interface ConsolePage {
  readonly href: string;
  /** Its name, of the texts of the shell. */
  readonly title: Extract<keyof Catalog['shell'], `page.${string}`>;
  /** Follows `g` on the keyboard. */
  readonly key: string;
  readonly icon: LucideIcon;
  /** Has a place in the bar of a phone: four at most, the others are behind "More". */
  readonly onPhone?: true;
  /** Is offered to those who have it only; left out: to everybody. */
  readonly right?: Permission;
  /** Only where the proxy runs with its embedded demo. */
  readonly onlyDemo?: true;
}

/** The console's pages, in the order of the navigation. */
const pages: readonly ConsolePage[] = [
  { href: '/', title: 'page.overview', key: 'o', icon: LayoutGrid, onPhone: true },
  { href: '/blocklist', title: 'page.blocklist', key: 'b', icon: ShieldBan, onPhone: true },
  { href: '/routing', title: 'page.routing', key: 'r', icon: Route },
  { href: '/locations', title: 'page.locations', key: 'l', icon: MapPin },
  { href: '/sessions', title: 'page.sessions', key: 's', icon: Cable, onPhone: true },
  { href: '/upgrade', title: 'page.upgrade', key: 'u', icon: CircleFadingArrowUp },
  { href: '/configuration', title: 'page.configuration', key: 'c', icon: SlidersHorizontal, onPhone: true },
  { href: '/history', title: 'page.history', key: 'h', icon: History },
  { href: '/users', title: 'page.users', key: 'p', icon: UsersRound, right: 'users.read' },
  { href: '/lab', title: 'page.lab', key: 'd', icon: FlaskConical, onlyDemo: true },
];

/** Those that this proxy has, for somebody with these rights. */
export const shownPages = (hasLab: boolean, permissions: readonly Permission[]): readonly ConsolePage[] =>
  pages.filter(
    ({ onlyDemo, right }) => (onlyDemo === undefined || hasLab) && (right === undefined || permissions.includes(right)),
  );

/** The page that a path belongs to: itself, or one below it. */
export const pageOf = (path: string) =>
  pages.find(({ href }) => path === href || (href !== '/' && path.startsWith(`${href}/`)));

/** Pages about oneself: in a menu only. */
const ownPages: Readonly<Record<string, ConsolePage['title']>> = {
  '/account': 'page.account',
  '/tokens': 'page.tokens',
};

/** The name of what a path shows, of the texts of the shell; undefined: none of the pages. */
export const titleOf = (path: string): ConsolePage['title'] | undefined => ownPages[path] ?? pageOf(path)?.title;
