import { Cable, History, LayoutGrid, type LucideIcon, MapPin, Route, ShieldBan, SlidersHorizontal } from 'lucide-react';

/** The console's pages, in the order of the navigation; `key` follows `g` on the keyboard. */
export const pages: readonly { href: string; title: string; key: string; icon: LucideIcon }[] = [
  { href: '/', title: 'Overview', key: 'o', icon: LayoutGrid },
  { href: '/blocklist', title: 'Blocklist', key: 'b', icon: ShieldBan },
  { href: '/routing', title: 'Routing', key: 'r', icon: Route },
  { href: '/locations', title: 'Locations', key: 'l', icon: MapPin },
  { href: '/sessions', title: 'Sessions', key: 's', icon: Cable },
  { href: '/configuration', title: 'Configuration', key: 'c', icon: SlidersHorizontal },
  { href: '/history', title: 'History', key: 'h', icon: History },
];

/** The page that a path belongs to: itself, or one below it. */
export const pageOf = (path: string) =>
  pages.find(({ href }) => path === href || (href !== '/' && path.startsWith(`${href}/`)));
