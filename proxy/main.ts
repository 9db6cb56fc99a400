/** `node proxy/main.ts [options]`: the supervisor's process (see docs/options.txt). */
import { readFileSync } from 'node:fs';
import { auditVerify } from './audit-verify.ts';
import { OptionError } from './option-error.ts';
import { helpText, parseOptions, type StartOptions } from './options.ts';
import { lockHome } from './supervisor/home-lock.ts';
import { sendOrder } from './supervisor/send-order.ts';
import { type Running, Supervisor } from './supervisor/supervisor.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

try {
  const parsed = parseOptions(process.argv.slice(2), process.env);
  if (parsed.kind === 'help') process.stdout.write(helpText());
  else if (parsed.kind === 'version') print(`odp ${manifest.version}`);
  else if (parsed.kind === 'audit-verify') process.exitCode = await auditVerify(parsed.options, print);
  else if (parsed.kind === 'order') process.exitCode = (await sendOrder(parsed.home, parsed.order, print)) ? 0 : 1;
  else await run(parsed.options);
} catch (error) {
  process.stderr.write(`odp: ${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof OptionError) process.stderr.write('odp: see npm start -- --help\n');
  process.exitCode = 1;
}

async function run(options: StartOptions): Promise<void> {
  const startedAtMs = performance.now();
  const unlock = lockHome(options.home);
  let ending = false;
  const end = async (code: number): Promise<void> => {
    if (ending) return;
    ending = true;
    await supervisor.stop();
    unlock();
    process.exit(code);
  };
  const supervisor = new Supervisor(options, print, () => void end(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  try {
    for (const line of welcome(await supervisor.start())) print(line);
    print(`odp ready in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  } catch (error) {
    // Parts that were told to end while they started have nothing to complain of.
    if (!ending) process.stderr.write(`odp: ${error instanceof Error ? error.message : String(error)}\n`);
    await end(1);
  }
}

function clusterText({ clusterName, clusterCount }: Running['ready']): string {
  if (clusterName === '') return 'no cluster is known yet: the log says why';
  return `cluster ${clusterName}${clusterCount > 1 ? ` and ${clusterCount - 1} more` : ''}`;
}

function welcome({ ready, consoleUrl }: Running): string[] {
  const host = ready.host === '0.0.0.0' ? '127.0.0.1' : ready.host;
  const login = (user: string): string => `mysql -h${host} -P${ready.port} -u'${user}#${ready.clusterName}'`;
  const lines = [
    `odp: version ${manifest.version}, ${clusterText(ready)}${ready.demo ? ' (DEMO: stand-in servers on this machine, not a database to rely on)' : ''}`,
    `odp: MySQL clients   ${login('root@sys')}`,
  ];
  if (ready.demo) lines.push(`odp: demo data       ${login(ready.demoUser)} trade`);
  if (consoleUrl !== null) lines.push(`odp: console         ${consoleUrl}`);
  if (ready.oneTimePassword !== null) {
    lines.push(`odp: console log-in  admin, one-time password ${ready.oneTimePassword} (shown only now)`);
  }
  return lines;
}
