interface LogoProps {
  /** Height in px; the width is half of it. */
  size?: number
  /** On a dark background in both schemes, as in the sidebar. */
  onDark?: boolean
  /** Swings, for a loading state. */
  animated?: boolean
}

/** A plumb bob. Hidden from screen readers, because the product's name is next to it. */
export function Logo({ size = 24, onDark = false, animated = false }: LogoProps) {
  return (
    <svg
      width={size / 2}
      height={size}
      viewBox="8 0 16 32"
      fill="none"
      aria-hidden="true"
      data-animated={animated || undefined}
      className="logo"
    >
      <g>
        <path d="M16 1v12" stroke={onDark ? '#faf8f4' : 'var(--ink)'} strokeWidth="1.75" strokeLinecap="round" />
        <path d="M12.25 13h7.5v3.25h-7.5z" fill="var(--logo-brass)" />
        <path d="M10.5 17.25h11L16 31z" fill="var(--logo-brass)" />
      </g>
    </svg>
  )
}
