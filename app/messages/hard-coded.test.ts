import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, Visitor, type VisitorObject } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const app = join(import.meta.dirname, '..');

/** Attributes that a reader sees or hears, of elements and of our own components. */
const spoken =
  /^(aria-(label|description|roledescription|valuetext)|title|placeholder|alt|label|legend|heading|hint|lead|description|help|what|word|pendingWord|about|note|any|text|summary)$/;

/** What is the same in every language: keys, units, names of parameters. */
const signs = /^(Ctrl|Esc|Enter|UTC|CSV|JSON|SQL|IDC|LDC|KB|MB|ms|[a-z]+(_[a-z]+)+)$/;

/** The places of a file where English stands in what a reader gets. */
function hardCoded(file: string, source: string): string[] {
  const found: string[] = [];
  const note = (node: Node, text: string): void => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (!/[a-z]{2}/i.test(words) || signs.test(words.replace(/[()]/g, ''))) return;
    found.push(`${file}:${source.slice(0, node.start).split('\n').length} ${words.slice(0, 60)}`);
  };
  /** Notes the literals that an expression can come to. */
  const noteTexts = (node: Node): void => {
    if (node.type === 'Literal' && typeof node.value === 'string') note(node, node.value);
    else if (node.type === 'TemplateLiteral') for (const part of node.quasis) note(part, part.value.cooked ?? '');
    else if (node.type === 'ConditionalExpression') {
      noteTexts(node.consequent);
      noteTexts(node.alternate);
    } else if (node.type === 'LogicalExpression' || (node.type === 'BinaryExpression' && node.operator === '+')) {
      noteTexts(node.left as Node);
      noteTexts(node.right);
    } else if (node.type === 'JSXExpressionContainer') noteTexts(node.expression as Node);
  };
  const noteChildren = (children: readonly Node[]): void => {
    for (const child of children) {
      if (child.type === 'JSXText') note(child, child.value.replace(/&\w+;/g, ' '));
      if (child.type === 'JSXExpressionContainer') noteTexts(child);
    }
  };
  const visitors: VisitorObject = {};
  // Not as functions of an object literal, which look like components to the linter.
  visitors.JSXElement = ({ openingElement: { name, attributes }, children }) => {
    // What is to be typed is the same in every language, and what is marked as English is meant to be.
    const isTyped = name.type === 'JSXIdentifier' && (name.name === 'code' || name.name === 'kbd');
    if (!isTyped && !attributes.some(isEnglishMark)) noteChildren(children);
  };
  visitors.JSXFragment = ({ children }) => noteChildren(children);
  visitors.JSXAttribute = ({ name, value }) => {
    if (value !== null && name.type === 'JSXIdentifier' && spoken.test(name.name)) noteTexts(value);
  };
  new Visitor(visitors).visit(parseSync(file, source).program);
  return found;
}

/** `lang="en"` of an element. */
const isEnglishMark = (attribute: Node): boolean =>
  attribute.type === 'JSXAttribute' &&
  attribute.name.name === 'lang' &&
  attribute.value?.type === 'Literal' &&
  attribute.value.value === 'en';

describe('what a reader sees or hears (issue 9)', () => {
  it('is found wherever it can stand', () => {
    const source = `const a = (
      <p title="Some title" className="not this" data-x="nor this">
        Plain {on ? 'when on' : \`when off \${n}\`} {n > 1 && 'and more'} {t('key')} <Keys keys={['Ctrl']} /> · 12 % <code>enable_congestion</code> <b lang="en">The product</b>
        <input aria-label={busy ? t('busy') : 'Idle'} value="nor that" />
      </p>
    );`;
    const texts = hardCoded('a.tsx', source).map((place) => place.replace(/^\S+ /, ''));
    expect(texts.toSorted()).toEqual(['Idle', 'Plain', 'Some title', 'and more', 'when off', 'when on']);
  });

  const files = globSync('**/*.tsx', { cwd: app }).toSorted();

  it('comes from app/messages, in every file', () => {
    const found = files.flatMap((file) => hardCoded(file, readFileSync(join(app, file), 'utf8')));
    expect(found).toEqual([]);
  });
});
