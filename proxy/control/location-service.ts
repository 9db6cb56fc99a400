import type { LocationPage, LocationPageQuery } from '../routing/location/location-page.ts';
import type { LocationFilter, LocationKey, LocationView } from '../routing/location/location-view.ts';

/** What the control API needs of the workers' location caches; the coordinator supplies it. */
export interface LocationService {
  /** One view per location over all workers, in the order of their names. @param limit of each worker, those used last */
  locations(filter: LocationFilter, limit: number): Promise<readonly LocationView[]>;
  /**
   * Has every worker that knows the location fetch it anew, whatever limits there are.
   * @returns null when no worker knows it
   */
  refreshLocation(key: LocationKey): Promise<LocationView | null>;
  /** One page of the locations of all workers, in the order of their names. */
  page(query: LocationPageQuery): Promise<LocationPage>;
}
