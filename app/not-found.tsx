import Link from 'next/link';
import { buttonClass } from '@/components/ui/button.tsx';

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="text-center">
        <p className="font-mono text-sm text-subtle">404</p>
        <h1 className="mt-1 mb-5 text-lg font-semibold">There is no such page</h1>
        <Link href="/" className={buttonClass('secondary')}>
          To the overview
        </Link>
      </div>
    </main>
  );
}
