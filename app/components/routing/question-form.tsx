'use client';

import { type ReactNode, useId } from 'react';
import { useText } from '@/components/texts.tsx';
import { inputClass } from '@/components/ui/field.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { cn } from '@/lib/class-names.ts';
import { idcsOf, type RouteQuestion } from '@/lib/route-question.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { Overview, RoutingChoices } from '../../../proxy/control/contract.ts';

interface QuestionFormProps {
  view: RouteQuestion;
  overview: Overview | undefined;
  choices: RoutingChoices | undefined;
  onChange: (next: Partial<RouteQuestion>) => void;
}

const exampleSql = 'SELECT * FROM orders WHERE id = 42';

/** Values of `RouteQuestion.transaction`, with their texts. */
const transactions = [
  ['', 'transaction.none'],
  ['off', 'transaction.off'],
  ['begun', 'transaction.begun'],
  ['begun-read-only', 'transaction.begun-read-only'],
  ['open', 'transaction.open'],
] as const;

const policies = ['follower_first', 'unmerge_follower_first', 'follower_only'];
const zonePolicies = ['readonly_zone_first', 'only_readonly_zone', 'unmerge_zone_first'];

/** The statement, and the session that would send it: a live one, or one as described here. */
export function QuestionForm({ view, overview, choices, onChange }: QuestionFormProps) {
  const t = useText('routing');
  const sqlId = useId();
  const clusters = choices?.clusters ?? [];
  const sessions = choices?.sessions ?? [];
  const tenants = clusters.find(({ name }) => name === view.cluster)?.tenants ?? [];
  const servers = overview?.clusters.find(({ name }) => name === view.cluster)?.servers.map(({ address }) => address);
  const databases = sessions.filter(({ tenant }) => tenant === view.tenant).map(({ database }) => database);
  const isLive = view.session !== '';
  const field = (key: keyof RouteQuestion, options: readonly string[], placeholder: string) => (
    <TextChoice
      label={t(`field.${key}`)}
      value={view[key]}
      options={options}
      placeholder={placeholder}
      onChange={(value) => onChange({ [key]: value })}
    />
  );
  return (
    <Panel title={t('question')} className="xl:sticky xl:top-[calc(var(--head)+1.5rem)]">
      <div className="grid gap-3 p-4">
        <div className="grid gap-1.5">
          <label htmlFor={sqlId} className="text-xs font-medium text-muted">
            {t('field.sql')}
          </label>
          <textarea
            id={sqlId}
            lang="en"
            data-search
            spellCheck={false}
            rows={5}
            maxLength={65_536}
            value={view.sql}
            onChange={(event) => onChange({ sql: event.target.value })}
            placeholder={exampleSql}
            className={cn(inputClass, 'h-auto resize-y py-1.5 font-mono font-normal')}
          />
        </div>
        <SelectChoice
          label={t('sentBy')}
          value={view.session}
          onChange={(session) => onChange({ session })}
          options={[
            ['', t('describedBelow')],
            ...sessions.map(
              ({ id, user, tenant, client }) =>
                [String(id), t('sessionFrom', { id: String(id), user: `${user}@${tenant}`, client })] as const,
            ),
            ...(isLive && !sessions.some(({ id }) => String(id) === view.session)
              ? [[view.session, t('sessionOnly', { id: view.session })] as const]
              : []),
          ]}
        />
        {isLive ? (
          <p className="text-xs text-muted">{t('ownSettings')}</p>
        ) : (
          <div className="grid grid-cols-2 gap-3">
            {clusters.length > 1 ? (
              <SelectChoice
                label={t('field.cluster')}
                value={view.cluster}
                onChange={(cluster) => onChange({ cluster, tenant: '', bound: '', last: '' })}
                options={clusters.map(({ name }) => [name, name] as const)}
              />
            ) : null}
            {field('tenant', tenants, 'sys')}
            {field(
              'database',
              [...new Set(databases)].filter((name) => name !== ''),
              t('none'),
            )}
            {field('idc', idcsOf(overview, view.cluster), t('theParameters'))}
            <SelectChoice
              label={t('field.consistency')}
              value={view.consistency}
              onChange={(consistency) => onChange({ consistency })}
              options={[
                ['', t('defaultStrong')],
                ['strong', 'strong'],
                ['weak', 'weak'],
              ]}
            />
            {field('policy', policies, t('theParameters'))}
            {field('zonePolicy', zonePolicies, t('default'))}
            <SelectChoice
              label={t('field.transaction')}
              value={view.transaction}
              onChange={(transaction) => onChange({ transaction })}
              options={transactions.map(([value, word]) => [value, t(word)] as const)}
            />
            {view.transaction === 'open' ? field('bound', servers ?? [], 'ip:port') : null}
            {field('last', servers ?? [], t('none'))}
          </div>
        )}
      </div>
    </Panel>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label className="grid min-w-0 content-start gap-1 text-xs font-medium text-muted">
      {label}
      {children}
    </label>
  );
}

interface TextChoiceProps {
  label: string;
  value: string;
  options: readonly string[];
  placeholder: string;
  onChange: (value: string) => void;
}

/** Free text with what is known on offer. */
function TextChoice({ label, value, options, placeholder, onChange }: TextChoiceProps) {
  const listId = useId();
  return (
    <Labelled label={label}>
      <input
        value={value}
        list={listId}
        maxLength={128}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        className={cn(inputClass, 'min-w-0 font-normal')}
      />
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </Labelled>
  );
}

interface SelectChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, word: string])[];
  onChange: (value: string) => void;
}

function SelectChoice({ label, value, options, onChange }: SelectChoiceProps) {
  return (
    <Labelled label={label}>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(inputClass, 'min-w-0 font-normal')}
      >
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {visibleText(word)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
