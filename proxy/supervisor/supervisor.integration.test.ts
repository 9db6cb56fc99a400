/** The real product: parts that die come back, and nothing is left when it ends. */
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Product } from '../testing/product.ts';
import { until } from '../testing/proxy.ts';

let product: Product;

beforeEach(async () => {
  product = await Product.start();
});

afterEach(() => product.clean());

describe('the supervisor', () => {
  it('restarts a killed generation, which has kept every acknowledged change', async () => {
    await product.ready();
    await product.query('root@proxysys', "ALTER PROXYCONFIG SET proxy_idc_name = 'idc1'");
    process.kill(product.part('/coordinator/main.ts'), 'SIGKILL');
    await until('it is back', () => product.said.includes('odp: the proxy runs again'));
    expect(product.said).toContain('odp: the proxy ended with SIGKILL; it is started again');
    expect(await product.query('root@proxysys', "SHOW PROXYCONFIG LIKE 'proxy_idc_name'")).toMatchObject([
      { value: 'idc1' },
    ]);
    expect(await product.query('root@trade#obdemo', 'SELECT COUNT(*) AS n FROM trade.orders')).toEqual([{ n: 400 }]);
  });

  it('restarts a killed demo cluster; the proxy finds it again', async () => {
    await product.ready();
    process.kill(product.part('/demo/main.ts'), 'SIGKILL');
    await until('it is back', () => product.said.includes('odp: the demo cluster runs again'));
    expect(await product.query('root@trade#obdemo', 'SELECT COUNT(*) AS n FROM trade.orders')).toEqual([{ n: 400 }]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends every part, and the port is free', async (signal) => {
    await product.ready();
    product.process.kill(signal);
    expect(await once(product.process, 'exit')).toEqual([0, null]);
    expect(product.parts()).toEqual([]);
    await expect(product.query('root@proxysys', 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('ends every part also while it starts', async () => {
    await until('the demo cluster starts', () =>
      product.parts().some(({ command }) => command.includes('/demo/main.ts')),
    );
    product.process.kill('SIGTERM');
    expect(await once(product.process, 'exit')).toEqual([0, null]);
    expect(product.parts()).toEqual([]);
    expect(product.said).toBe('');
  });

  it('leaves no part behind when it is killed itself', async () => {
    await product.ready();
    product.process.kill('SIGKILL');
    await until('all parts are gone', () => product.parts().length === 0);
  });
});
