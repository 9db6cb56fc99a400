import { describe, expect, it } from 'vitest';
import { inLanguage } from '../messages/area.ts';
import { common } from '../messages/common.ts';
import { ApiError, errorLang, errorText } from './api.ts';
import { makeText } from './text.ts';

const t = makeText<typeof common>('ja', inLanguage(common, 'ja'));

describe('what went wrong (issue 9)', () => {
  it('is told in the words of the proxy, marked as English, when it has said any', () => {
    const [title, detail] = ['Conflict', 'somebody was faster'];
    const problem = { type: 'about:blank', title, status: 409, code: 'CONFLICT', detail, requestId: 'r1' };
    const error = new ApiError(409, detail, problem);
    expect([errorText(error, t), errorLang(error)]).toEqual(['somebody was faster', 'en']);
  });

  it('is told in the reader’s language when nothing was said', () => {
    const silent = new ApiError(0, 'no answer');
    const wordless = new ApiError(502, 'status 502');
    expect([errorText(silent, t), errorLang(silent)]).toEqual([t('consoleSilent'), undefined]);
    expect(errorText(wordless, t)).toBe('コンソールがステータス502を返しました。');
    expect([errorText('a string', t), errorLang('a string')]).toEqual([t('wentWrong'), undefined]);
  });
});
