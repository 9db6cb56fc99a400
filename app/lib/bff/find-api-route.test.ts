import { describe, expect, it } from 'vitest';
import { browserRoutes, filledPath, type RouteName, routes } from '../../../proxy/control/contract.ts';
import { findApiRoute } from './find-api-route.ts';

describe('the API for scripts', () => {
  it('has every route of the contract but those of a browser', () => {
    for (const [name, { method, path }] of Object.entries(routes)) {
      const found = findApiRoute(method, `/api${filledPath(path, { id: '7' })}`);
      expect(found.name, name).toBe(name in browserRoutes ? null : (name as RouteName));
      if (found.name !== null && path.includes(':id')) expect(found.parameters).toEqual({ id: '7' });
    }
  });

  it('tells which methods a path takes', () => {
    expect(findApiRoute('POST', '/api/v1/overview')).toEqual({ name: null, methods: ['GET'] });
    expect(findApiRoute('POST', '/api/v1/tokens')).toEqual({ name: null, methods: ['GET'] });
    expect(findApiRoute('GET', '/api/v1/parameters/')).toEqual({ name: null, methods: [] });
    expect(findApiRoute('POST', '/api/v1/login')).toEqual({ name: null, methods: [] });
  });

  it('takes parts of a path that are encoded, well or not', () => {
    expect(findApiRoute('GET', '/api/v1/sessions/%37')).toMatchObject({ parameters: { id: '7' } });
    expect(findApiRoute('GET', '/api/v1/sessions/%')).toMatchObject({ parameters: { id: '%' } });
  });
});
