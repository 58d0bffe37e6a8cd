interface MarkProps {
  /** Height in px; it is half as wide. */
  size?: number
  /** On ink, as in the sidebar; the line is then light. */
  onInk?: boolean
  /** Swings while something is awaited. */
  swinging?: boolean
}

/** The plumb bob: line, collar and point. Decoration: the name of the product stands beside it. */
export function Mark({ size = 24, onInk = false, swinging = false }: MarkProps) {
  return (
    <svg
      width={size / 2}
      height={size}
      viewBox="8 0 16 32"
      fill="none"
      aria-hidden="true"
      data-swinging={swinging || undefined}
      className="mark"
    >
      <g>
        <path d="M16 1v12" stroke={onInk ? '#faf8f4' : 'var(--ink)'} strokeWidth="1.75" strokeLinecap="round" />
        <path d="M12.25 13h7.5v3.25h-7.5z" fill="var(--mark-brass)" />
        <path d="M10.5 17.25h11L16 31z" fill="var(--mark-brass)" />
      </g>
    </svg>
  )
}
