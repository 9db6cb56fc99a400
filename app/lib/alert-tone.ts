/** The alert's sound, made here: two short tones, the second higher. */

const tones = [
  { frequency: 660, startS: 0 },
  { frequency: 880, startS: 0.18 },
] as const;
const toneS = 0.16;

let context: AudioContext | undefined;

/** Plays it. A browser that has not seen a click on the page yet stays silent. */
export function playTone(): void {
  if (!('AudioContext' in window)) return;
  context ??= new AudioContext();
  const audio = context;
  void audio.resume().then(() => {
    for (const { frequency, startS } of tones) {
      const at = audio.currentTime + startS;
      const oscillator = audio.createOscillator();
      const gain = audio.createGain();
      oscillator.frequency.value = frequency;
      // No click at either end.
      gain.gain.setValueAtTime(0.0001, at);
      gain.gain.exponentialRampToValueAtTime(0.2, at + 0.02);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + toneS);
      oscillator.connect(gain).connect(audio.destination);
      oscillator.start(at);
      oscillator.stop(at + toneS);
    }
  });
}
