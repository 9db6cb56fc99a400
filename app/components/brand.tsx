/** The product's mark: one way in, several ways out. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" fill="none" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent-fill" />
      <path
        d="M6.5 16h6M19.5 16c3 0 3-6 6-6M19.5 16h6M19.5 16c3 0 3 6 6 6"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
      <circle cx="16" cy="16" r="3.6" fill="#fff" />
    </svg>
  );
}
