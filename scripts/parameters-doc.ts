/** Writes docs/parameters.md from the parameter table. */
import { type ParameterSpec, parameterGroups } from '../proxy/config/parameter-spec.ts';
import { parameterTable } from '../proxy/config/parameter-table.ts';
import { cell, writeDoc } from './doc-files.ts';

export const PARAMETERS_DOC = 'docs/parameters.md';

const head = `# Parameters

Made by \`npm run docs\` from \`proxy/config/parameters/\`: change those.

Set one with \`ALTER PROXYCONFIG SET name = value\` as \`root@proxysys\` or \`root@sys\`, on the console's configuration page, or
at the start with \`-o name=value,name=value\`; see them with \`SHOW PROXYCONFIG LIKE 'pattern'\`. Letters of a name may have
either case. A start option wins over the stored value; of a name given twice the last one counts. A change is in force at
once unless the table says *at the next start*. Parameters marked **not yet** are kept and shown, but this version does not act
on them. Those marked *down to an address* can have other values for a cluster, a tenant or an address that clients connect
to: see [operations.md](operations.md#which-value-is-in-force).

| Type | What is accepted |
|---|---|
| bool | true/false, on/off, yes/no, t/f, 1/0 in either case |
| int | whole number: decimal, \`0x…\` hexadecimal, \`0…\` octal |
| time | whole number with us, ms, s, m, h or d; without a unit: seconds. Negative counts as 0 |
| capacity | whole number with B, KB, MB, GB, TB or PB (or the first letter); without a unit: MB. Negative counts as 0 |
| list | items split by \`;\`, at most 64 |
| loglevel | DEBUG, TRACE, INFO, WDIAG, EDIAG, WARN, USER_ERR, ERROR; or MODULE.SUB:LEVEL, several split by commas |
| ip | IPv4 or IPv6 address |
| enum, string | one of the words listed; any text of up to 4096 characters |

Blanks around a value are not taken off: they belong to a string and are an error anywhere else. A password is kept as its
SHA-1 only and never shown; a password inside a URL is refused.
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
    ...(spec.visibleLevel === 'MEMORY' ? ['default at each start'] : []),
    ...(spec.configLevel === 'LEVEL_VIP' ? ['down to an address'] : []),
  ];
  const info = `${spec.honoured ? '' : '**not yet** '}${spec.info}${notes.length > 0 ? ` (*${notes.join(', ')}*)` : ''}`;
  return `| ${[`\`${spec.name}\``, type, defaultText, range, info].map(cell).join(' | ')} |`;
}

if (import.meta.main) await writeDoc(PARAMETERS_DOC, renderParametersDoc());
