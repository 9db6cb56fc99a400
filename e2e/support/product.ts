/** The product under test: where its doors are. Handed from the global set-up to the tests through the environment. */

export interface Product {
  /** Address of the console. */
  readonly url: string;
  /** Port for MySQL clients on 127.0.0.1. */
  readonly mysqlPort: number;
  readonly oneTimePassword: string;
  /** Its ODP_HOME. */
  readonly home: string;
}

const variable = 'ODP_E2E_PRODUCT';

/** The password that the first log-in chooses and all later ones use. */
export const chosenPassword = 'a-quiet-harbour-41';

/** Where the first log-in keeps its cookies for the other tests. */
export const signedInFile = 'test-results/signed-in.json';

/** Let the tests know the product. */
export function rememberProduct(product: Product): void {
  process.env[variable] = JSON.stringify(product);
}

/** The product that the global set-up started. */
export function product(): Product {
  const text = process.env[variable];
  if (text === undefined) throw new Error(`${variable} is not set: the global set-up has not run`);
  return JSON.parse(text) as Product;
}
