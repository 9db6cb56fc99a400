/** The blocklists of a running proxy, as its administrator sees and sets them. */
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { type TestProxy, until } from './proxy.ts';

type ListName = 'status' | 'detection' | 'alive';

/** Columns of SHOW PROXYCONGESTION that say whether a server is on a list. */
const columns = { status: 'dead_congested', detection: 'detect_congested', alive: 'alive_congested' } as const;

export interface Lists {
  alter(name: string, value: string | number): Promise<void>;
  /** One server's row of SHOW PROXYCONGESTION ALL; null: it has none. */
  row(address: string): Promise<RowDataPacket | null>;
  /** The lists a server is on. */
  of(address: string): Promise<ListName[]>;
  /** Addresses that SHOW PROXYCONGESTION shows. */
  listed(): Promise<string[]>;
  untilListed(address: string, list: ListName): Promise<void>;
  /** Until a server is on no list. */
  untilFree(address: string): Promise<void>;
  /** Until a server's row has these values. */
  untilRow(address: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * The reasons of a server's last listings and releases, once they are recorded, oldest first; other lists than those
   * named do not matter. @param last `list change` of each
   */
  untilRecorded(address: string, last: readonly string[]): Promise<string[]>;
}

export async function listsOf(proxy: TestProxy): Promise<Lists> {
  const admin = await proxy.admin();
  const show = async (sql: string): Promise<RowDataPacket[]> => (await admin.query<RowDataPacket[]>(sql))[0];
  const lists: Lists = {
    alter: (name, value) => alter(admin, name, value),
    row: async (address) =>
      (await show('SHOW PROXYCONGESTION ALL')).find(({ server_ip }) => server_ip === address) ?? null,
    of: async (address) => listsIn(await lists.row(address)),
    listed: async () => (await show('SHOW PROXYCONGESTION')).map(({ server_ip }) => String(server_ip)),
    untilListed: (address, list) =>
      until(`${address} is on the ${list} list`, async () => (await lists.of(address)).includes(list)),
    untilFree: (address) => until(`${address} is on no list`, async () => !(await lists.listed()).includes(address)),
    untilRow: (address, values) =>
      until(`the row of ${address} has ${JSON.stringify(values)}`, async () => {
        const row = await lists.row(address);
        return row !== null && Object.entries(values).every(([name, value]) => row[name] === value);
      }),
    untilRecorded: async (address, last) => {
      let reasons: string[] = [];
      await until(`the last records of ${address} are ${last.join(', ')}`, async () => {
        const rows = await show('SHOW PROXYCONGESTION HISTORY LIMIT 1000');
        const isMeant = ({ server_ip, list }: RowDataPacket) =>
          server_ip === address && last.some((what) => what.startsWith(`${list} `));
        const records = rows.filter(isMeant).slice(0, last.length);
        reasons = records.map(({ reason }) => String(reason)).reverse();
        const whats = records.map(({ list, change }) => `${list} ${change}`).reverse();
        return whats.join() === last.join();
      });
      return reasons;
    },
  };
  return lists;
}

function listsIn(row: RowDataPacket | null): ListName[] {
  if (row === null) return [];
  return (Object.keys(columns) as ListName[]).filter((list) => row[columns[list]] === 1);
}

async function alter(admin: Connection, name: string, value: string | number): Promise<void> {
  await admin.query(`ALTER PROXYCONFIG SET ${name} = '${value}'`);
}
