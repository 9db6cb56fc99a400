/** Servers that a request is kept to by their addresses: it goes to one of them or nowhere. */

export interface ForcedServers {
  /**
   * Who names them: a comment before the statement, the parameter `target_db_server`, `SET @obproxy_route_addr`, or
   * `test_server_addr` with the routing modes mock and mysql.
   */
  readonly source: 'comment' | 'parameter' | 'route-address' | 'test-server';
  /** `ip:port`; groups in the order to try them, the servers of one are equals. */
  readonly groups: readonly (readonly string[])[];
  /** For `route-address`: the list that has to name it as well. */
  readonly within?: ForcedServers | null;
}

/** What each source is called when it is given as a reason. */
export const forcedBy: Readonly<Record<ForcedServers['source'], string>> = {
  comment: 'the comment target_db_server',
  parameter: 'the parameter target_db_server',
  'route-address': '@obproxy_route_addr',
  'test-server': 'the parameter test_server_addr',
};

/** A list as parameters and comments have it: groups parted by `;`, items of a group by `,`. Empty ones are left out. */
export function parseGroups(text: string): readonly (readonly string[])[] {
  return text
    .split(';')
    .map((group) =>
      group
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .filter((group) => group.length > 0);
}

/** Whether a list of addresses has this one. */
export const isNamed = ({ groups }: ForcedServers, address: string): boolean =>
  groups.some((group) => group.includes(address));
