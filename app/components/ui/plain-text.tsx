import { visibleText } from '@/lib/visible-text.ts';

/** Text that came from a server, a database or a person: shown as text, with its invisible marks made visible (case B113). `lang` is for sentences of the proxy, which are English. */
export function PlainText({ text, className, lang }: { text: string; className?: string; lang?: 'en' | undefined }) {
  return (
    <span lang={lang} className={className}>
      {visibleText(text)}
    </span>
  );
}
