import type { z } from 'zod';
import { useText } from '@/components/texts.tsx';
import type { MakeToken, tokensResponseSchema } from '../../../proxy/control/contract.ts';

/** What the one who asks can give to a token. */
export type CanGive = z.infer<typeof tokensResponseSchema>['canGive'];

/** What a token may do at most: a role, or chosen rights. */
export type TokenLimit = Pick<MakeToken, 'role' | 'rights'>;

interface LimitChoiceProps {
  canGive: CanGive;
  value: TokenLimit;
  onChange: (limit: TokenLimit) => void;
}

/** One of one's own roles, or single rights, each with what it is for. */
export function LimitChoice({ canGive: { roles, rights }, value, onChange }: LimitChoiceProps) {
  const t = useText('tokens');
  const toggle = (right: TokenLimit['rights'][number], isOn: boolean): void =>
    onChange({ role: null, rights: isOn ? [...value.rights, right] : value.rights.filter((one) => one !== right) });
  return (
    <fieldset className="grid gap-2 text-sm">
      <legend className="mb-1.5 font-medium">{t('limit')}</legend>
      <label className="flex items-center gap-2">
        <input
          type="radio"
          name="limit"
          checked={value.role === null}
          onChange={() => onChange({ role: null, rights: [] })}
          className="accent-(--accent-fill)"
        />
        {t('onlyRights')}
      </label>
      {value.role === null ? (
        <div className="grid gap-1.5 border-l border-line pl-4">
          {rights.map(({ right, about }) => (
            <label key={right} className="flex items-start gap-2">
              <input
                type="checkbox"
                checked={value.rights.includes(right)}
                onChange={(event) => toggle(right, event.target.checked)}
                className="mt-1 accent-(--accent-fill)"
              />
              <span>
                <code className="font-mono text-xs">{right}</code>
                <span lang="en" className="block text-xs text-muted">
                  {about}
                </span>
              </span>
            </label>
          ))}
        </div>
      ) : null}
      {roles.map((role) => (
        <label key={role} className="flex items-center gap-2">
          <input
            type="radio"
            name="limit"
            checked={value.role === role}
            onChange={() => onChange({ role, rights: [] })}
            className="accent-(--accent-fill)"
          />
          {t('asRole', { role })}
        </label>
      ))}
    </fieldset>
  );
}
