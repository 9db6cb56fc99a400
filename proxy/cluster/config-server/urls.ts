/** The addresses that a ConfigServer is asked at (reference proxy's rules; odp configuration server protocol). */

/** The action of a list's URL, and the one that takes its place to ask for IDCs. */
const RS_ACTION = /ObRootServiceInfo/i;
const IDC_ACTION = 'ObIDCRegionInfo';
/** What a list's URL without that action gets at its end instead. */
const IDC_TAIL = '_idc_list';

/** Where the name goes: `${ObRegion}`, or `${ObCluster}` in the second version. */
const TEMPLATE_MARK = /\$\{Ob(?:Region|Cluster)\}/;

/** Asks for the version of the document alone. */
export function versionUrl(documentUrl: string): string {
  return withParameter(documentUrl, 'VersionOnly=true');
}

/** Asks for all clusters of that name (primary and standby), or in the old form for the one there is. */
export function serverListUrl(rsUrl: string): string {
  return withParameter(rsUrl, 'version=2');
}

/** @param id of the cluster; 0: not known, then the primary's are asked for */
export function idcListUrl(rsUrl: string, id: number): string {
  const url = RS_ACTION.test(rsUrl) ? rsUrl.replace(RS_ACTION, IDC_ACTION) : `${rsUrl}${IDC_TAIL}`;
  return id === 0 ? url : withParameter(url, `version=2&ObRegionId=${id}`);
}

/** A cluster's URL by the template; null: the template has no place for the name. */
export function fillTemplate(template: string, cluster: string): string | null {
  if (!TEMPLATE_MARK.test(template)) return null;
  return template.replaceAll(new RegExp(TEMPLATE_MARK, 'g'), () => encodeURIComponent(cluster));
}

function withParameter(url: string, parameter: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${parameter}`;
}
