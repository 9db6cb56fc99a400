/** Fetches the database drivers of other languages, with which the integration tests try the proxy. */
import { errorText } from '../proxy/errors/odp-error.ts';
import { installClients } from '../proxy/testing/clients/install.ts';

try {
  await installClients((line) => console.log(line));
} catch (error) {
  console.log(errorText(error));
  process.exitCode = 1;
}
