/** The small shop that both demo clusters sell from: tables of each kind of partitioning, and the same rows every time. */

const CITIES = ['Shanghai', 'Hangzhou', 'Suzhou', 'Nanjing', 'Ningbo', 'Wuxi', 'Jiaxing'];
const FAMILY_NAMES = [
  'Chen',
  'Li',
  'Wang',
  'Zhang',
  'Liu',
  'Tanaka',
  'Sato',
  'Kim',
  'Park',
  'Nguyen',
  'Garcia',
  'Novak',
];
const GIVEN_NAMES = ['Mei', 'Jun', 'Hana', 'Kenji', 'Minh', 'Sofia', 'Petr', 'Yuki', 'Ana', 'Wei', 'Lan'];
const GOODS = [
  'Keyboard',
  'Monitor',
  'Desk lamp',
  'Notebook',
  'Headset',
  'Office chair',
  'Webcam',
  'Cable',
  'Mouse',
  'Dock',
];
const COLORS = ['black', 'white', 'silver', 'blue'];
const STATES = ['paid', 'paid', 'shipped', 'shipped', 'delivered', 'delivered', 'delivered', 'returned'];

const CUSTOMER_COUNT = 120;
const ORDER_COUNT = 400;

/** CREATE statements of all its tables. */
export const shopTables: readonly string[] = [
  `CREATE TABLE customers (id BIGINT PRIMARY KEY, name VARCHAR(64) NOT NULL, city VARCHAR(32) NOT NULL,
    email VARCHAR(128) NOT NULL, since DATE NOT NULL, UNIQUE KEY uk_email (email), KEY idx_city (city))`,
  `CREATE TABLE products (id INT PRIMARY KEY, name VARCHAR(64) NOT NULL, color VARCHAR(16) NOT NULL,
    price DECIMAL(10,2) NOT NULL, stock INT NOT NULL DEFAULT 0)`,
  `CREATE TABLE orders (id BIGINT NOT NULL AUTO_INCREMENT, customer_id BIGINT NOT NULL, status VARCHAR(16) NOT NULL,
    total DECIMAL(12,2) NOT NULL, created_at DATETIME NOT NULL, note TEXT, PRIMARY KEY (id),
    KEY idx_customer (customer_id)) PARTITION BY HASH(id) PARTITIONS 6`,
  `CREATE TABLE order_items (order_id BIGINT NOT NULL, line INT NOT NULL, product_id INT NOT NULL,
    quantity INT NOT NULL, price DECIMAL(10,2) NOT NULL, PRIMARY KEY (order_id, line)) PARTITION BY HASH(order_id) PARTITIONS 6`,
  `CREATE TABLE events (day DATE NOT NULL, id BIGINT NOT NULL, kind VARCHAR(32) NOT NULL, PRIMARY KEY (day, id))
    PARTITION BY RANGE COLUMNS(day) (PARTITION p2024 VALUES LESS THAN ('2025-01-01'),
    PARTITION p2025 VALUES LESS THAN ('2026-01-01'), PARTITION pmax VALUES LESS THAN (MAXVALUE))`,
];

/** Its rows, each in the text that INSERT … VALUES takes, by table. */
export function shopRows(): [table: string, rows: string[]][] {
  const random = seededRandom(20251);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const day = (offset: number): string =>
    new Date(Date.UTC(2025, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);
  const customers = Array.from({ length: CUSTOMER_COUNT }, (_, index) => {
    const name = `${pick(GIVEN_NAMES)} ${pick(FAMILY_NAMES)}`;
    const email = `${name.toLowerCase().replace(' ', '.')}.${index + 1}@example.com`;
    return `(${index + 1}, '${name}', '${pick(CITIES)}', '${email}', '${day(-Math.floor(random() * 700))}')`;
  });
  const prices: string[] = [];
  const products = GOODS.flatMap((name, good) =>
    COLORS.map((color, index) => {
      const price = (9 + Math.floor(random() * 24_000) / 100).toFixed(2);
      prices.push(price);
      return `(${good * COLORS.length + index + 1}, '${name}', '${color}', ${price}, ${Math.floor(random() * 200)})`;
    }),
  );
  const items: string[] = [];
  const orders = Array.from({ length: ORDER_COUNT }, (_, index) => {
    const id = index + 1;
    let cents = 0;
    const lines = 1 + Math.floor(random() * 4);
    for (let line = 1; line <= lines; line++) {
      const product = 1 + Math.floor(random() * products.length);
      const quantity = 1 + Math.floor(random() * 3);
      const price = prices[product - 1] ?? '0.00';
      cents += Math.round(Number(price) * 100) * quantity;
      items.push(`(${id}, ${line}, ${product}, ${quantity}, ${price})`);
    }
    const clock = `${String(8 + Math.floor(random() * 12)).padStart(2, '0')}:${String(Math.floor(random() * 60)).padStart(2, '0')}:00`;
    const note = random() < 0.15 ? "'gift wrap'" : 'NULL';
    const customer = 1 + Math.floor(random() * CUSTOMER_COUNT);
    return `(${id}, ${customer}, '${pick(STATES)}', ${(cents / 100).toFixed(2)}, '${day(Math.floor(index * 0.9))} ${clock}', ${note})`;
  });
  const events = Array.from(
    { length: 90 },
    (_, index) => `('${day(index * 8 - 300)}', ${index + 1}, '${pick(['login', 'search', 'order'])}')`,
  );
  return [
    ['customers', customers],
    ['products', products],
    ['orders', orders],
    ['order_items', items],
    ['events', events],
  ];
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
