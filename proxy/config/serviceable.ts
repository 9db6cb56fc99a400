import { OdpError } from '../errors/odp-error.ts';
import type { ConfigView } from './config-view.ts';
import type { ParameterName } from './parameter-table.ts';
import { parseRsList } from './rs-list.ts';
import { tlsAttributes, tlsFiles } from './tls-settings.ts';

/** Largest proxy_id that connection-id layout 1 has room for (reference). */
const maxProxyIdV1 = 255;

/** Longest IDC name (reference: 128 bytes of buffer). */
const maxIdcNameLength = 128;

/**
 * The check of the whole configuration that the reference makes before a change: what no single value can show.
 * @throws OdpError INVALID_PARAMETER, INVALID_ARGUMENT or PROXY_ID_TOO_LARGE
 */
export function checkServiceable(view: ConfigView): void {
  const fail = (name: ParameterName, detail: string): never => {
    throw new OdpError('INVALID_PARAMETER', { name, value: view.text(name), detail });
  };
  const proxyId = view.int('proxy_id');
  if (view.text('proxy_service_mode') === 'server' && proxyId === 0) {
    throw new OdpError('INVALID_ARGUMENT', { detail: 'proxy_id must be above 0 while proxy_service_mode is server' });
  }
  if (view.int('client_session_id_version') === 1 && proxyId > maxProxyIdV1) {
    throw new OdpError('PROXY_ID_TOO_LARGE');
  }
  const appNameLength = Buffer.byteLength(view.text('app_name'));
  if (appNameLength < 1 || appNameLength > 127) fail('app_name', 'must have 1 to 127 bytes');
  if (Buffer.byteLength(view.text('proxy_idc_name')) > maxIdcNameLength) {
    fail('proxy_idc_name', `longer than ${maxIdcNameLength} bytes`);
  }
  if (!/^([0-9]+(\.[0-9]+)*)?$/.test(view.text('mysql_version'))) fail('mysql_version', 'use digits and dots');
  for (const separator of view.list('username_separator')) {
    if (separator.length !== 1) fail('username_separator', `'${separator}' is not one character`);
  }
  tlsAttributes(view);
  tlsFiles(view, '');
  parseRsList(view.text('rootservice_list'));
  const url = view.text('obproxy_config_server_url');
  const parsed = url === '' ? null : URL.parse(url);
  if (url !== '' && parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    fail('obproxy_config_server_url', 'is no http or https URL');
  }
}
