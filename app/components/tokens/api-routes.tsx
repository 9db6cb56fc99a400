'use client';

import { useQuery } from '@tanstack/react-query';
import { QueryFailure } from '@/components/query-failure.tsx';
import { useUser } from '@/components/shell/user-context.tsx';
import { useText } from '@/components/texts.tsx';
import { Badge } from '@/components/ui/badge.tsx';
import { TableSkeleton } from '@/components/ui/skeleton.tsx';
import { type ApiRoute, apiRoutesQuery } from '@/lib/token-queries.ts';

/** Every route of the API from its own document, grouped as there; what the reader's rights do not reach says so. */
export function ApiRoutes() {
  const t = useText('tokens');
  const query = useQuery(apiRoutesQuery);
  if (query.data === undefined) {
    return query.isError ? <QueryFailure query={query} what={t('theApi')} /> : <TableSkeleton rows={6} />;
  }
  const groups = Map.groupBy(query.data, ({ tag }) => tag);
  return (
    <div lang="en" className="grid gap-x-6 gap-y-4 p-4 xl:grid-cols-2">
      {[...groups].map(([tag, routes]) => (
        <section key={tag} aria-label={tag} className="min-w-0">
          <h3 className="mb-1 text-xs font-medium text-muted">{tag}</h3>
          <ul className="grid gap-2">
            {routes.map((route) => (
              <RouteLine key={route.id} route={route} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function RouteLine({ route: { id, method, path, summary, right } }: { route: ApiRoute }) {
  const t = useText('tokens');
  const mine: readonly string[] = useUser().permissions;
  return (
    <li data-route={id} className="text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="w-10 shrink-0 font-mono text-xs text-muted">{method}</code>
        <code className="font-mono text-xs [overflow-wrap:anywhere]">{path}</code>
        {right === null ? null : <Badge>{right}</Badge>}
        {right === null || mine.includes(right) ? null : <span className="text-xs text-subtle">{t('youMayNot')}</span>}
      </p>
      <p className="pl-12 text-xs text-muted">{summary}</p>
    </li>
  );
}
