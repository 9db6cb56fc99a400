import { browserRoutes, pathParameters, type RouteName, routes } from '../../../proxy/control/contract.ts';

/** What a request to the API for scripts is for. */
type FoundRoute =
  | { readonly name: RouteName; readonly parameters: Readonly<Record<string, string>> }
  /** Methods that the path takes; empty: there is no such path. */
  | { readonly name: null; readonly methods: readonly string[] };

/**
 * The route of the contract that a path means, `/api/v1/sessions/7` for one. Every route is one for scripts, but those
 * that belong to a browser's own log-in.
 * @param path as it was sent
 */
export function findApiRoute(method: string, path: string): FoundRoute {
  const methods: string[] = [];
  for (const [name, route] of Object.entries(routes)) {
    const parameters = name in browserRoutes ? null : pathParameters(`/api${route.path}`, path);
    if (parameters === null) continue;
    if (route.method === method) return { name: name as RouteName, parameters: decoded(parameters) };
    methods.push(route.method);
  }
  return { name: null, methods };
}

function decoded(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decodedText(text)]));
}

/** A text that is not well encoded is taken as it stands: it names nothing there is. */
function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
