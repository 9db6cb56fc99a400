'use client';

import { type ReactNode, useId } from 'react';
import { inputClass } from '@/components/ui/field.tsx';
import { Panel } from '@/components/ui/panel.tsx';
import { cn } from '@/lib/class-names.ts';
import { idcsOf, questionLabels, type RouteQuestion, transactionWords } from '@/lib/route-question.ts';
import { visibleText } from '@/lib/visible-text.ts';
import type { Overview, RoutingChoices } from '../../../proxy/control/contract.ts';

interface QuestionFormProps {
  view: RouteQuestion;
  overview: Overview | undefined;
  choices: RoutingChoices | undefined;
  onChange: (next: Partial<RouteQuestion>) => void;
}

const policies = ['follower_first', 'unmerge_follower_first', 'follower_only'];
const zonePolicies = ['readonly_zone_first', 'only_readonly_zone', 'unmerge_zone_first'];

/** The statement, and the session that would send it: a live one, or one as described here. */
export function QuestionForm({ view, overview, choices, onChange }: QuestionFormProps) {
  const sqlId = useId();
  const clusters = choices?.clusters ?? [];
  const sessions = choices?.sessions ?? [];
  const tenants = clusters.find(({ name }) => name === view.cluster)?.tenants ?? [];
  const servers = overview?.clusters.find(({ name }) => name === view.cluster)?.servers.map(({ address }) => address);
  const databases = sessions.filter(({ tenant }) => tenant === view.tenant).map(({ database }) => database);
  const isLive = view.session !== '';
  const field = (key: keyof RouteQuestion, options: readonly string[], placeholder: string) => (
    <TextChoice
      label={questionLabels[key]}
      value={view[key]}
      options={options}
      placeholder={placeholder}
      onChange={(value) => onChange({ [key]: value })}
    />
  );
  return (
    <Panel title="Statement and session" className="xl:sticky xl:top-[calc(var(--head)+1.5rem)]">
      <div className="grid gap-3 p-4">
        <div className="grid gap-1.5">
          <label htmlFor={sqlId} className="text-xs font-medium text-muted">
            {questionLabels.sql}
          </label>
          <textarea
            id={sqlId}
            data-search
            spellCheck={false}
            rows={5}
            maxLength={65_536}
            value={view.sql}
            onChange={(event) => onChange({ sql: event.target.value })}
            placeholder="SELECT * FROM orders WHERE id = 42"
            className={cn(inputClass, 'h-auto resize-y py-1.5 font-mono font-normal')}
          />
        </div>
        <SelectChoice
          label="As sent by"
          value={view.session}
          onChange={(session) => onChange({ session })}
          options={[
            ['', 'a session as described below'],
            ...sessions.map(
              ({ id, user, tenant, client }) =>
                [String(id), `session ${id}: ${user}@${tenant} from ${client}`] as const,
            ),
            ...(isLive && !sessions.some(({ id }) => String(id) === view.session)
              ? [[view.session, `session ${view.session}`] as const]
              : []),
          ]}
        />
        {isLive ? (
          <p className="text-xs text-muted">Its own settings count, as they are now.</p>
        ) : (
          <div className="grid grid-cols-2 gap-3">
            {clusters.length > 1 ? (
              <SelectChoice
                label={questionLabels.cluster}
                value={view.cluster}
                onChange={(cluster) => onChange({ cluster, tenant: '', bound: '', last: '' })}
                options={clusters.map(({ name }) => [name, name] as const)}
              />
            ) : null}
            {field('tenant', tenants, 'sys')}
            {field(
              'database',
              [...new Set(databases)].filter((name) => name !== ''),
              'none',
            )}
            {field('idc', idcsOf(overview, view.cluster), 'the parameter’s')}
            <SelectChoice
              label={questionLabels.consistency}
              value={view.consistency}
              onChange={(consistency) => onChange({ consistency })}
              options={[
                ['', 'default (strong)'],
                ['strong', 'strong'],
                ['weak', 'weak'],
              ]}
            />
            {field('policy', policies, 'the parameter’s')}
            {field('zonePolicy', zonePolicies, 'default')}
            <SelectChoice
              label={questionLabels.transaction}
              value={view.transaction}
              onChange={(transaction) => onChange({ transaction })}
              options={Object.entries(transactionWords)}
            />
            {view.transaction === 'open' ? field('bound', servers ?? [], 'ip:port') : null}
            {field('last', servers ?? [], 'none')}
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
