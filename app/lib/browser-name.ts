const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFxiOS\/(\d+)/, 'Firefox'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bCriOS\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]*(?: Mobile\/\w+)? Safari\//, 'Safari'],
];

/** Those that name another one as well come before it. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A User-Agent in the words that people know their browsers by: `Firefox 145 on Linux`; else how it begins. */
export function browserName(agent: string): string {
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(agent)?.[1];
    if (version !== undefined) return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`;
  }
  return agent.trim().slice(0, 40);
}
