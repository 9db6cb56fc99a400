/** Makes the Python environment in which the integration tests start a genuine OceanBase kernel. */
import { ensureKernelPython } from '../proxy/demo/kernel/python-environment.ts';
import { errorText } from '../proxy/errors/odp-error.ts';
import { testKernelEnvironment } from '../proxy/testing/kernel.ts';

try {
  await ensureKernelPython(testKernelEnvironment, (line) => console.log(line));
} catch (error) {
  console.log(errorText(error));
  process.exitCode = 1;
}
