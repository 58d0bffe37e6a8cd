import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import type { CSSProperties, ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import classes from './sortable-list.module.css'

interface SortableListProps {
  /** The keys of the rows in their order. */
  keys: readonly string[]
  /** What a row is, for screen readers: "status". */
  noun: string
  nameOf: (key: string) => string
  /** The places count from 0. */
  onMove: (key: string, from: number, to: number) => void
  children: ReactNode
}

/** A list whose rows are dragged with the mouse or moved with the keyboard. Each row uses `useSortableRow`. */
export function SortableList({ keys, noun, nameOf, onMove, children }: SortableListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const describe = (key: string | number, at: string | number | undefined): string => {
    const place = at === undefined ? -1 : keys.indexOf(String(at))
    const name = nameOf(String(key))
    return place === -1 ? name : `${name}, place ${String(place + 1)} of ${String(keys.length)}`
  }
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up ${describe(active.id, active.id)}.`,
    onDragOver: ({ active, over }) => `${describe(active.id, over?.id)}.`,
    onDragEnd: ({ active, over }) => `Dropped ${describe(active.id, over?.id)}.`,
    onDragCancel: ({ active }) => `${describe(active.id, active.id)} was not moved.`,
  }
  const draggable = `Press the space bar to pick up the ${noun}, the arrow keys to move it, and the space bar to drop it.`
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={({ active, over }) => {
        const [from, to] = [keys.indexOf(String(active.id)), keys.indexOf(String(over?.id))]
        if (from >= 0 && to >= 0 && to !== from) onMove(String(active.id), from, to)
      }}
      accessibility={{ announcements, screenReaderInstructions: { draggable } }}
    >
      <SortableContext items={[...keys]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

interface SortableRow {
  /** For the element of the row. */
  row: { className: string; ref: (element: HTMLElement | null) => void; style: CSSProperties; 'data-dragged': boolean | undefined }
  handle: ReactNode
}

/** The place of the handle in a row that cannot be moved. */
export const NoHandle = () => <span className={classes['noHandle']} />

/** What a row of a `SortableList` needs: the props of its element and the handle that moves it. */
export function useSortableRow(key: string, name: string, { disabled = false } = {}): SortableRow {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: key, disabled })
  return {
    row: {
      className: classes['row'] ?? '',
      ref: setNodeRef,
      style: { transform: transform === null ? undefined : `translateY(${String(transform.y)}px)`, transition },
      'data-dragged': isDragging || undefined,
    },
    handle: (
      <IconButton
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        name={`Move ${name}`}
        size={28}
        className={classes['handle'] ?? ''}
        disabled={disabled}
      >
        <IconGripVertical size={16} aria-hidden />
      </IconButton>
    ),
  }
}
