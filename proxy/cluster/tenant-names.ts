/** The tenants of one cluster, as its views tell them: for people to choose from. */
import { type QuestionOptions, RareQuestion } from './rare-question.ts';
import { ALL_ROWS, WEAK_READ } from './sql-text.ts';

/** V4's view, in which each tenant has a META one beside it that nobody logs in to; V3's table. */
const queries = [
  `SELECT ${WEAK_READ} tenant_name AS tenant_name FROM oceanbase.DBA_OB_TENANTS ` +
    `WHERE tenant_type <> 'META' ORDER BY tenant_name ${ALL_ROWS}`,
  `SELECT ${WEAK_READ} tenant_name AS tenant_name FROM oceanbase.__all_tenant ORDER BY tenant_name ${ALL_ROWS}`,
];

/** Asks a cluster for its tenants. */
export const tenantNames = (options: QuestionOptions): RareQuestion<readonly string[]> =>
  new RareQuestion(options, queries, (rows) => rows.flatMap(({ tenant_name: name }) => (name ? [name] : [])));
