/** What the parser makes of a statement: the part of MySQL's grammar that the demo cluster covers. */

export type Expr =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Buffer }
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'temporal'; readonly type: 'date' | 'time' | 'datetime'; readonly value: string }
  | { readonly kind: 'param'; readonly index: number }
  | { readonly kind: 'column'; readonly database: string; readonly table: string; readonly name: string }
  | { readonly kind: 'sysvar'; readonly scope: '' | 'global' | 'session'; readonly name: string }
  | { readonly kind: 'uservar'; readonly name: string }
  | { readonly kind: 'unary'; readonly op: '-' | '~' | 'not' | '+'; readonly operand: Expr }
  | { readonly kind: 'binary'; readonly op: BinaryOp; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'is'; readonly operand: Expr; readonly what: 'null' | 'true' | 'false'; readonly negated: boolean }
  | {
      readonly kind: 'between';
      readonly operand: Expr;
      readonly low: Expr;
      readonly high: Expr;
      readonly negated: boolean;
    }
  | { readonly kind: 'in'; readonly operand: Expr; readonly list: readonly Expr[]; readonly negated: boolean }
  | { readonly kind: 'inQuery'; readonly operand: Expr; readonly query: Select; readonly negated: boolean }
  | {
      readonly kind: 'like';
      readonly operand: Expr;
      readonly pattern: Expr;
      readonly escape: string;
      readonly negated: boolean;
    }
  | { readonly kind: 'regexp'; readonly operand: Expr; readonly pattern: Expr; readonly negated: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expr[]; readonly call: CallDetails }
  | {
      readonly kind: 'case';
      readonly subject: Expr | null;
      readonly whens: readonly When[];
      readonly otherwise: Expr | null;
    }
  | { readonly kind: 'cast'; readonly operand: Expr; readonly target: CastTarget }
  | { readonly kind: 'interval'; readonly amount: Expr; readonly unit: string }
  | { readonly kind: 'exists'; readonly query: Select }
  | { readonly kind: 'subquery'; readonly query: Select }
  | { readonly kind: 'row'; readonly items: readonly Expr[] }
  | { readonly kind: 'collate'; readonly operand: Expr; readonly collation: string }
  | { readonly kind: 'values'; readonly column: string }
  | { readonly kind: 'default' };

export type BinaryOp =
  | '+'
  | '-'
  | '*'
  | '/'
  | 'div'
  | '%'
  | '='
  | '<=>'
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'
  | 'xor'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>';

export interface When {
  readonly condition: Expr;
  readonly result: Expr;
}

export interface CallDetails {
  readonly distinct: boolean;
  readonly star: boolean;
  /** GROUP_CONCAT only. */
  readonly orderBy: readonly OrderItem[];
  readonly separator: string | null;
}

export interface CastTarget {
  readonly type: 'signed' | 'unsigned' | 'char' | 'binary' | 'decimal' | 'date' | 'datetime' | 'time' | 'double';
  readonly length: number | null;
  readonly scale: number | null;
}

export interface OrderItem {
  readonly expr: Expr;
  readonly descending: boolean;
}

export interface SelectItem {
  readonly expr: Expr;
  readonly alias: string | null;
  /** The item as written: MySQL's column label when there is no alias. */
  readonly text: string;
}

export interface StarItem {
  readonly star: true;
  readonly database: string;
  readonly table: string;
}

export type TableRef =
  | {
      readonly kind: 'table';
      readonly database: string;
      readonly name: string;
      readonly alias: string | null;
      readonly partitions: readonly string[];
    }
  | { readonly kind: 'derived'; readonly query: Select; readonly alias: string }
  | { readonly kind: 'rows'; readonly count: Expr; readonly bytes: Expr; readonly alias: string }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'right';
      readonly left: TableRef;
      readonly right: TableRef;
      readonly on: Expr | null;
      readonly using: readonly string[];
    };

export interface Limit {
  readonly count: Expr;
  readonly offset: Expr | null;
}

export interface SelectCore {
  readonly distinct: boolean;
  readonly items: readonly (SelectItem | StarItem)[];
  readonly from: TableRef | null;
  readonly where: Expr | null;
  readonly groupBy: readonly OrderItem[];
  readonly having: Expr | null;
}

export interface Select {
  readonly kind: 'select';
  readonly cores: readonly SelectCore[];
  /** `unions[n]` joins core n with core n + 1. */
  readonly unions: readonly ('union' | 'union all')[];
  readonly orderBy: readonly OrderItem[];
  readonly limit: Limit | null;
  readonly locking: boolean;
  readonly calcFoundRows: boolean;
  /** Hint `read_consistency(weak)`. */
  readonly into: readonly string[];
}

export interface TableName {
  readonly database: string;
  readonly name: string;
}

export interface Assignment {
  readonly column: string;
  readonly value: Expr;
}

export interface Insert {
  readonly kind: 'insert';
  readonly mode: 'insert' | 'replace' | 'ignore';
  readonly table: TableName;
  /** Null: all columns in their order. */
  readonly columns: readonly string[] | null;
  readonly rows: readonly (readonly Expr[])[] | null;
  readonly query: Select | null;
  readonly onDuplicate: readonly Assignment[];
}

export interface Update {
  readonly kind: 'update';
  readonly table: TableName;
  readonly alias: string | null;
  readonly assignments: readonly Assignment[];
  readonly where: Expr | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Limit | null;
}

export interface Delete {
  readonly kind: 'delete';
  readonly table: TableName;
  readonly alias: string | null;
  readonly where: Expr | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Limit | null;
}

export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
  readonly notNull: boolean;
  readonly autoIncrement: boolean;
  readonly primaryKey: boolean;
  readonly unique: boolean;
  /** Undefined: none given. */
  readonly defaultValue: Expr | undefined;
  readonly onUpdateNow: boolean;
  readonly comment: string;
}

/** A declared type: MySQL's name for it in lower case, with its numbers. */
export interface ColumnType {
  readonly name: string;
  readonly length: number | null;
  readonly scale: number | null;
  readonly unsigned: boolean;
  readonly binaryCollation: boolean;
  readonly values: readonly string[];
}

export interface KeySpec {
  readonly name: string;
  readonly kind: 'primary' | 'unique' | 'key';
  readonly columns: readonly string[];
}

export interface PartitionSpec {
  readonly method: 'hash' | 'key' | 'range' | 'range columns' | 'list' | 'list columns';
  /** Text between the parentheses. */
  readonly expression: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly partitions: readonly { readonly name: string; readonly bound: string; readonly values: readonly Expr[][] }[];
}

export interface CreateTable {
  readonly kind: 'createTable';
  readonly table: TableName;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnSpec[];
  readonly keys: readonly KeySpec[];
  readonly partition: PartitionSpec | null;
  readonly like: TableName | null;
  readonly autoIncrement: number | null;
  readonly comment: string;
  /** DUPLICATE_SCOPE = 'cluster'. */
  readonly duplicate: boolean;
}

export interface SetItem {
  readonly target: 'user' | 'session' | 'global';
  readonly name: string;
  readonly value: Expr;
}

/** `NAMES x COLLATE y` or `CHARACTER SET x`, alone or among other settings. */
export interface NamesItem {
  readonly target: 'names';
  readonly charset: string;
  readonly collation: string | null;
}

export interface UserName {
  readonly user: string;
  readonly host: string;
}

export type Statement =
  | Select
  | Insert
  | Update
  | Delete
  | CreateTable
  | { readonly kind: 'createDatabase'; readonly database: string; readonly ifNotExists: boolean }
  | { readonly kind: 'dropDatabase'; readonly database: string; readonly ifExists: boolean }
  | { readonly kind: 'dropTable'; readonly tables: readonly TableName[]; readonly ifExists: boolean }
  | { readonly kind: 'truncate'; readonly table: TableName }
  | { readonly kind: 'renameTable'; readonly from: TableName; readonly to: TableName }
  | { readonly kind: 'createIndex'; readonly table: TableName; readonly key: KeySpec }
  | { readonly kind: 'dropIndex'; readonly table: TableName; readonly name: string }
  | { readonly kind: 'addColumn'; readonly table: TableName; readonly column: ColumnSpec }
  | { readonly kind: 'dropColumn'; readonly table: TableName; readonly column: string }
  | { readonly kind: 'use'; readonly database: string }
  | { readonly kind: 'begin'; readonly readOnly: boolean }
  | { readonly kind: 'commit' }
  | { readonly kind: 'rollback'; readonly to: string | null }
  | { readonly kind: 'savepoint'; readonly name: string }
  | { readonly kind: 'release'; readonly name: string }
  | { readonly kind: 'set'; readonly items: readonly (SetItem | NamesItem)[] }
  | {
      readonly kind: 'setTransaction';
      readonly scope: 'global' | 'session' | 'next';
      readonly name: string;
      readonly value: string;
    }
  | { readonly kind: 'setPassword'; readonly user: UserName | null; readonly password: string }
  | { readonly kind: 'createUser'; readonly users: readonly UserPassword[]; readonly ifNotExists: boolean }
  | { readonly kind: 'alterUser'; readonly users: readonly UserPassword[] }
  | { readonly kind: 'dropUser'; readonly users: readonly UserName[]; readonly ifExists: boolean }
  | { readonly kind: 'grant' }
  | {
      readonly kind: 'show';
      readonly what: string;
      readonly global: boolean;
      readonly full: boolean;
      readonly table: TableName | null;
      readonly database: string | null;
      readonly like: string | null;
      readonly where: Expr | null;
      readonly user: UserName | null;
      readonly limit: Limit | null;
    }
  | { readonly kind: 'describe'; readonly table: TableName; readonly column: string | null }
  | { readonly kind: 'explain'; readonly statement: Statement; readonly text: string }
  | { readonly kind: 'kill'; readonly query: boolean; readonly id: Expr }
  | { readonly kind: 'prepare'; readonly name: string; readonly source: Expr }
  | { readonly kind: 'execute'; readonly name: string; readonly using: readonly string[] }
  | { readonly kind: 'deallocate'; readonly name: string }
  | { readonly kind: 'do'; readonly exprs: readonly Expr[] }
  | { readonly kind: 'lockTables'; readonly tables: readonly TableName[] }
  | { readonly kind: 'unlockTables' }
  | {
      readonly kind: 'modifyZone';
      readonly zone: string;
      readonly settings: readonly (readonly [name: string, value: string])[];
    }
  | {
      readonly kind: 'loadData';
      readonly file: string;
      readonly table: TableName;
      readonly ignoreLines: number;
      readonly columns: readonly string[] | null;
      readonly fieldEnd: string;
      readonly lineEnd: string;
      readonly enclosed: string;
      readonly mode: 'insert' | 'replace' | 'ignore';
    }
  | { readonly kind: 'maintenance'; readonly operation: string; readonly tables: readonly TableName[] }
  | { readonly kind: 'empty' };

export interface UserPassword extends UserName {
  /** Null: not given. */
  readonly password: string | null;
  /** Stage-2 hash as `*` + 40 hex digits when given as such. */
  readonly hash: string | null;
}
