import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { IconButton } from './icon-button.tsx'

interface FavoriteButtonProps {
  favorite: boolean
  /** The name of the record, for screen readers. */
  of: string
  onToggle: (favorite: boolean) => void
}

export function FavoriteButton({ favorite, of, onToggle }: FavoriteButtonProps) {
  const Star = favorite ? IconStarFilled : IconStar
  return (
    <IconButton
      name={favorite ? 'Remove from favorites' : 'Add to favorites'}
      aria-label={`Favorite: ${of}`}
      aria-pressed={favorite}
      onClick={() => onToggle(!favorite)}
    >
      <Star size={18} aria-hidden {...(favorite ? { color: 'var(--brass-line)' } : {})} />
    </IconButton>
  )
}
