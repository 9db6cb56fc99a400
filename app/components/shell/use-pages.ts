import { type ConsolePage, pages } from './pages.ts';
import { useUser } from './user-context.tsx';

/** The pages that the signed-in user may open. */
export function usePages(): readonly ConsolePage[] {
  const { permissions } = useUser();
  return pages.filter(({ right }) => right === undefined || permissions.includes(right));
}
