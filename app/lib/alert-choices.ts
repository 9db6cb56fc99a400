/** Which alerts of listings a person has switched on. Kept in this browser alone, since a permission to notify is too. */
export interface AlertChoices {
  /** The number of listed servers in the title of the tab. */
  readonly title: boolean;
  readonly desktop: boolean;
  readonly sound: boolean;
}

const storageKey = 'odp_blocklist_alerts';

/** Nothing without having been asked for. */
export const noAlerts: AlertChoices = { title: false, desktop: false, sound: false };

const listeners = new Set<() => void>();
let kept: { text: string | null; choices: AlertChoices } = { text: null, choices: noAlerts };

/** The choices in force. The same object as long as nothing has changed. */
export function alertChoices(): AlertChoices {
  const text = readStorage();
  if (text !== kept.text) kept = { text, choices: parseAlertChoices(text) };
  return kept.choices;
}

/** Choices from their stored text; anything unknown is off. */
export function parseAlertChoices(text: string | null): AlertChoices {
  const on = new Set((text ?? '').split(' '));
  return { title: on.has('title'), desktop: on.has('desktop'), sound: on.has('sound') };
}

/** Keep other choices, here and in the browser's other tabs. */
export function chooseAlerts(next: Partial<AlertChoices>): void {
  const choices = { ...alertChoices(), ...next };
  const text = (['title', 'desktop', 'sound'] as const).filter((key) => choices[key]).join(' ');
  try {
    localStorage.setItem(storageKey, text);
  } catch {
    // A browser that keeps nothing: the choice holds until the page is left.
    fallback = text;
  }
  for (const listener of listeners) listener();
}

/** Tells when the choices change, also from another tab. The answer ends it. */
export function onAlertChoices(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Whether events must keep coming while the tab is hidden. */
export function alertsNeedStream(): boolean {
  const { title, desktop, sound } = alertChoices();
  return title || desktop || sound;
}

let fallback: string | null = null;

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey) ?? fallback;
  } catch {
    return fallback;
  }
}
