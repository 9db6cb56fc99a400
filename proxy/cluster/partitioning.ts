/** How a table is partitioned, as its cluster tells it (R4). Plain data. */
import type { Expression } from '../sql/expression.ts';

/** A part of a partition's bound: integers, decimals (unscaled) and packed dates are bigints, texts bytes. */
export type BoundValue = bigint | Buffer | null | 'max';

/** One value per column of the rule. RANGE has one row, LIST one per listed value; a row of 'max' in LIST is DEFAULT. */
export type BoundRow = readonly BoundValue[];

export interface KeyColumn {
  /** In lower case. */
  readonly name: string;
  /** Number of the type (ObObjType). */
  readonly type: number;
  /** Number of the collation: 45 utf8mb4_general_ci, 46 utf8mb4_bin, 63 binary … */
  readonly collation: number;
  /** Of texts, in characters; of binary ones, in bytes. */
  readonly length: number;
  readonly precision: number;
  /** Digits behind the point; of DATETIME, of its seconds. */
  readonly scale: number;
  /** What an INSERT does with it; absent: the cluster doesn't tell, or not in a form that is understood. */
  readonly insert?: InsertRule;
  /** Null or absent: its values are its own. */
  readonly generated?: GeneratedColumn | null;
}

export interface InsertRule {
  /** Place among the columns of an INSERT that lists none, from 0. */
  readonly position: number;
  readonly isNullable: boolean;
  /** 0 and NULL become a number that the server makes. */
  readonly isAutoIncrement: boolean;
  /** What a column gets that no value is given for; undefined: not known. */
  readonly defaultValue: Exclude<BoundValue, 'max'> | undefined;
}

export interface GeneratedColumn {
  readonly expression: Expression;
  /** Those that the expression takes. */
  readonly columns: readonly KeyColumn[];
}

export interface PartitionRule {
  readonly kind: 'hash' | 'key' | 'range' | 'list';
  /** Those that the expression takes, when there is one. */
  readonly columns: readonly KeyColumn[];
  /** The partition hangs on what this comes to; null: on the columns themselves. */
  readonly expression: Expression | null;
}

export interface Partition {
  readonly name: string;
  /** Decimal text. Of a partition with sub-partitions: '0'. */
  readonly tabletId: string;
  /** Empty for HASH and KEY, whose partitions stand in order. */
  readonly bounds: readonly BoundRow[];
  readonly subPartitions: readonly Partition[];
}

export interface Partitioning {
  readonly rule: PartitionRule;
  /** Null: one level. */
  readonly subRule: PartitionRule | null;
  readonly partitions: readonly Partition[];
}
