import { visibleText } from '@/lib/visible-text.ts';

/** Text that came from a server, a database or a person: shown as text, with its invisible marks made visible (case B113). */
export function PlainText({ text, className }: { text: string; className?: string }) {
  return <span className={className}>{visibleText(text)}</span>;
}
