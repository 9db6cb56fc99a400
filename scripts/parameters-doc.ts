/** Writes docs/parameters.md from the parameter table. */
import { type ParameterSpec, parameterGroups } from '../proxy/config/parameter-spec.ts';
import { parameterTable } from '../proxy/config/parameter-table.ts';
import { cell, writeDoc } from './doc-files.ts';

export const PARAMETERS_DOC = 'docs/parameters.md';

const head = `# Parameters

Made by \`npm run docs\` from \`proxy/config/parameters/\`: change those.

Set them with \`ALTER PROXYCONFIG SET name = value\`, on the console's configuration page or, at start, with \`-o name=value\`.
Times take \`us\`, \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`, sizes \`b\`, \`k\`, \`m\`, \`g\`, \`t\` or \`p\`; a bare number has the unit of
its type. A change is in force at once unless the table says *at the next start*.
Parameters marked **not yet** are kept and shown, but this version does not act on them.
`;

export function renderParametersDoc(): string {
  const specs: readonly ParameterSpec[] = parameterTable;
  const sections = parameterGroups.map((group) => {
    const rows = specs.filter((spec) => spec.group === group).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (rows.length === 0) return '';
    const header = '| Name | Type | Default | Range | What it does |\n|---|---|---|---|---|';
    return `## ${group}\n\n${header}\n${rows.map(renderRow).join('\n')}\n`;
  });
  return [head, ...sections.filter((section) => section !== '')].join('\n');
}

function renderRow(spec: ParameterSpec): string {
  const type = spec.unit === '' ? spec.type : `${spec.type}, ${spec.unit}`;
  const defaultText = spec.defaultText === '' ? '' : `\`${spec.secret ? '******' : spec.defaultText}\``;
  const range = spec.choices.length > 0 ? spec.choices.join(', ') : spec.range;
  const notes = [
    ...(spec.readOnly ? ['a start option only'] : []),
    ...(spec.needReboot && !spec.readOnly ? ['at the next start'] : []),
  ];
  const info = `${spec.honoured ? '' : '**not yet** '}${spec.info}${notes.length > 0 ? ` (*${notes.join(', ')}*)` : ''}`;
  return `| ${[`\`${spec.name}\``, type, defaultText, range, info].map(cell).join(' | ')} |`;
}

if (import.meta.main) await writeDoc(PARAMETERS_DOC, renderParametersDoc());
