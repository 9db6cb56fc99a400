'use client';

import { useSyncExternalStore } from 'react';
import { type AlertChoices, alertChoices, noAlerts, onAlertChoices } from '@/lib/alert-choices.ts';

/** Which alerts are switched on in this browser; none in the server's HTML. */
export function useAlertChoices(): AlertChoices {
  return useSyncExternalStore(onAlertChoices, alertChoices, () => noAlerts);
}
