import {
  Cable,
  CircleFadingArrowUp,
  History,
  LayoutGrid,
  type LucideIcon,
  MapPin,
  Route,
  ShieldBan,
  SlidersHorizontal,
} from 'lucide-react';

interface ConsolePage {
  readonly href: string;
  readonly title: string;
  /** Follows `g` on the keyboard. */
  readonly key: string;
  readonly icon: LucideIcon;
  /** Has a place in the bar of a phone: four at most, the others are behind "More". */
  readonly onPhone?: true;
}

/** The console's pages, in the order of the navigation. */
export const pages: readonly ConsolePage[] = [
  { href: '/', title: 'Overview', key: 'o', icon: LayoutGrid, onPhone: true },
  { href: '/blocklist', title: 'Blocklist', key: 'b', icon: ShieldBan, onPhone: true },
  { href: '/routing', title: 'Routing', key: 'r', icon: Route },
  { href: '/locations', title: 'Locations', key: 'l', icon: MapPin },
  { href: '/sessions', title: 'Sessions', key: 's', icon: Cable, onPhone: true },
  { href: '/upgrade', title: 'Upgrade', key: 'u', icon: CircleFadingArrowUp },
  { href: '/configuration', title: 'Configuration', key: 'c', icon: SlidersHorizontal, onPhone: true },
  { href: '/history', title: 'History', key: 'h', icon: History },
];

/** The page that a path belongs to: itself, or one below it. */
export const pageOf = (path: string) =>
  pages.find(({ href }) => path === href || (href !== '/' && path.startsWith(`${href}/`)));
