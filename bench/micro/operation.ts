/** A piece of the data path by itself, without sockets: what it costs is followed from change to change. */
export interface MicroOperation {
  /** Also its key among the figures that are kept. */
  readonly name: string;
  /** Does it once. @throws Error when what came out is not what it should be: nothing is measured that does not work */
  readonly run: () => void;
}
