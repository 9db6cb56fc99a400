import type { ComponentProps } from 'react';
import { cn } from '@/lib/class-names.ts';

const variants = {
  primary: 'bg-accent-fill text-white hover:bg-accent-hover border-transparent',
  secondary: 'bg-panel text-fg border-line-strong hover:bg-hover',
  ghost: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-fg',
} as const;

const sizes = {
  sm: 'h-7 px-2.5 text-xs gap-1.5',
  md: 'h-8 px-3 text-sm gap-2',
  lg: 'h-9 px-4 text-base gap-2',
  icon: 'size-8 justify-center',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
}

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: keyof typeof variants = 'secondary', size: keyof typeof sizes = 'md'): string {
  return cn(
    'inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-55',
    variants[variant],
    sizes[size],
  );
}

/** A push button; `type` is `button` unless said otherwise, so that none submits a form by accident. */
export function Button({ variant, size, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={cn(buttonClass(variant, size), className)} {...rest} />;
}
