'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { putParameters } from '@/components/live/live-stream.ts';
import { useText } from '@/components/texts.tsx';
import { Dialog } from '@/components/ui/dialog.tsx';
import { Field, inputClass } from '@/components/ui/field.tsx';
import { ReasonForm } from '@/components/ui/reason-form.tsx';
import { ApiError, postJson } from '@/lib/api.ts';
import { valueText } from '@/lib/parameter-value.ts';
import { parametersQuery } from '@/lib/queries.ts';
import {
  type ChangeOverride,
  changeResponseSchema,
  type OverrideScope,
  type Parameter,
  type ParameterOverride,
} from '../../../proxy/control/contract.ts';
import { announceApplied } from './applied-toast.ts';
import { levels, scopeWords } from './scope-words.ts';

interface LevelDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  parameter: Parameter;
  /** The value to be taken away; null: one is to be set. */
  leaving: ParameterOverride | null;
}

/** Sets a parameter for a part of the sessions or takes such a value away, with a reason. */
export function LevelDialog({ open, onOpenChange, parameter, leaving }: LevelDialogProps) {
  const t = useText('parameters');
  const title = t(leaving === null ? 'setForPart' : 'takeAwayTitle', { name: parameter.name });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      initialFocus={() => document.getElementById(leaving === null ? 'level' : 'reason')}
      description={t('levelAbout')}
    >
      <LevelForm parameter={parameter} leaving={leaving} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface LevelFormProps {
  parameter: Parameter;
  leaving: ParameterOverride | null;
  onDone: () => void;
}

const nothing: OverrideScope = { level: 'LEVEL_TENANT', cluster: '', tenant: '', vip: '', vport: 0 };

function LevelForm({ parameter, leaving, onDone }: LevelFormProps) {
  const t = useText('parameters');
  const shell = useText('shell');
  const client = useQueryClient();
  const [scope, setScope] = useState<OverrideScope>(leaving ?? nothing);
  const [value, setValue] = useState('');
  const apply = useMutation({
    mutationFn: async (body: ChangeOverride) =>
      changeResponseSchema.parse(await postJson('/api/parameters/levels', body)),
    onSuccess: (response) => {
      putParameters(client, response.parameters);
      announceApplied(t, [parameter.name], response);
      onDone();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409)
        void client.refetchQueries({ queryKey: parametersQuery.queryKey });
    },
  });
  const named = leaving === null ? namedBy(scope) : scope;
  const submit = (reason: string): void => {
    const { level, cluster, tenant, vip, vport } = named;
    const known = parameter.overrides.find((one) => scopeWords(t, one) === scopeWords(t, named));
    apply.mutate({
      name: parameter.name,
      scope: { level, cluster, tenant, vip, vport },
      value: leaving === null ? value : null,
      baseRevision: leaving?.revision ?? known?.revision ?? 0,
      reason,
    });
  };
  return (
    <ReasonForm
      reasonId="reason"
      word={t(parameter.fourEyes ? 'propose' : leaving === null ? 'set' : 'takeAway')}
      request={apply}
      nothingChanged="always"
      onSubmit={submit}
      onCancel={onDone}
    >
      {leaving === null ? (
        <>
          <ScopeFields scope={scope} onChange={setScope} />
          <Field
            id="level-value"
            label={t('value')}
            type={parameter.secret ? 'password' : 'text'}
            autoComplete="off"
            value={value}
            onChange={(event) => setValue(event.target.value)}
            className="font-mono"
          />
        </>
      ) : (
        <p className="text-sm [overflow-wrap:anywhere]">
          {t.rich('noLongerCounts', {
            scope: scopeWords(t, leaving),
            value: <code className="font-mono">{valueText(shell, leaving.value)}</code>,
          })}
        </p>
      )}
    </ReasonForm>
  );
}

interface ScopeFieldsProps {
  scope: OverrideScope;
  onChange: (scope: OverrideScope) => void;
}

function ScopeFields({ scope, onChange }: ScopeFieldsProps) {
  const t = useText('parameters');
  const atVip = scope.level === 'LEVEL_VIP';
  const optional = atVip ? t('whateverItIs') : undefined;
  return (
    <>
      <div className="grid gap-1.5">
        <label htmlFor="level" className="text-sm font-medium">
          {t('levelFor')}
        </label>
        <select
          id="level"
          value={scope.level}
          onChange={(event) => onChange({ ...scope, level: event.target.value as OverrideScope['level'] })}
          className={inputClass}
        >
          {levels.map((level) => (
            <option key={level} value={level}>
              {t(`level.${level}`)}
            </option>
          ))}
        </select>
      </div>
      {atVip ? (
        <div className="grid grid-cols-[1fr_7rem] gap-3">
          <Field
            id="level-vip"
            label={t('address')}
            hint={t('addressHint')}
            value={scope.vip}
            onChange={(event) => onChange({ ...scope, vip: event.target.value.trim() })}
          />
          <Field
            id="level-vport"
            label={t('port')}
            hint={t('portHint')}
            inputMode="numeric"
            value={scope.vport === 0 ? '' : String(scope.vport)}
            onChange={(event) =>
              onChange({ ...scope, vport: Number(event.target.value.replace(/\D/g, '').slice(0, 5)) })
            }
          />
        </div>
      ) : null}
      <Field
        id="level-cluster"
        label={t('cluster')}
        hint={optional}
        value={scope.cluster}
        onChange={(event) => onChange({ ...scope, cluster: event.target.value.trim() })}
      />
      {scope.level === 'LEVEL_CLUSTER' ? null : (
        <Field
          id="level-tenant"
          label={t('tenant')}
          hint={optional}
          value={scope.tenant}
          onChange={(event) => onChange({ ...scope, tenant: event.target.value.trim() })}
        />
      )}
    </>
  );
}

/** What was typed into fields that another level hides does not count. */
function namedBy(scope: OverrideScope): OverrideScope {
  if (scope.level === 'LEVEL_VIP') return scope;
  return { ...scope, vip: '', vport: 0, tenant: scope.level === 'LEVEL_CLUSTER' ? '' : scope.tenant };
}
