/** `drop`: end all connections, as servers do with idle ones. `count`: only tell how many there are. */
export type StubOrder = 'drop' | 'count';

/** Once at the start its port; to every order how many connections it has then. */
export type StubAnswer = { readonly port: number } | { readonly connections: number };
