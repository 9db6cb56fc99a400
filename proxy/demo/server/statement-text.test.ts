import { describe, expect, it } from 'vitest';
import { statementText } from './statement-text.ts';

const text = (...parts: (string | number[])[]): string =>
  statementText(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))));

describe('the text of a statement', () => {
  it('leaves texts as they are', () => {
    expect(text("SELECT 'é', '_binary''x'")).toBe("SELECT 'é', '_binary''x'");
    expect(text('SELECT my_binary')).toBe('SELECT my_binary');
  });

  it('writes literals of bytes in hexadecimal', () => {
    expect(text("INSERT INTO t VALUES (_binary'", [0xff], "\\0\\'''\\\\\\n", [0xc3], "', 'é')")).toBe(
      "INSERT INTO t VALUES (x'ff0027275c0ac3', 'é')",
    );
    expect(text("SELECT _BINARY 'a',_binary''")).toBe("SELECT x'61',x''");
  });

  it('takes bytes in quotes that are no text as bytes, as a genuine kernel does', () => {
    expect(text("INSERT INTO t VALUES ('", [0, 0xff], '\', "', [0xc3], "\", 'é')")).toBe(
      "INSERT INTO t VALUES (x'00ff', x'c3', 'é')",
    );
  });

  it('refuses bytes elsewhere that are no text', () => {
    expect(() => text('SELECT ', [0xff])).toThrow(/Invalid utf8mb4/);
    expect(() => text('SELECT `', [0xff], '`')).toThrow(/Invalid utf8mb4/);
  });
});
