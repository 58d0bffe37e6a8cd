import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import { useRef, useState } from 'react'
import type { SavedView } from '#contract/saved-views.ts'
import type { SearchParams } from '#web/search-params.ts'
import button from '#web/ui/collapsing-button.module.css'
import { lazyPart } from '../lazy-part.tsx'
import { viewParams } from './list-address.ts'
import type { List } from './list.ts'
import { differs } from './saved-views.ts'
import classes from './view-menu.module.css'

// Loaded when they are opened.
const ViewMenuItems = lazyPart(async () => (await import('./view-menu-items.tsx')).ViewMenuItems, {
  fallback: <Menu.Label>Loading the views…</Menu.Label>,
})
const ViewDialog = lazyPart(async () => (await import('./view-dialog.tsx')).ViewDialog)

/** The saved views of the list: opens, saves, shares and deletes them. */
export function ViewMenu({ list }: { list: List }) {
  const { view, state, layoutChanged } = list
  const [editing, setEditing] = useState<'new' | SavedView | null>(null)
  const openView = useOpenView(list)
  const changed = view !== undefined && (layoutChanged || differs(state, view))
  const opener = useRef<HTMLButtonElement>(null)
  const edit = (edited: 'new' | SavedView) => {
    // The dialog returns the focus to where it is now; the item of the menu is gone by then.
    opener.current?.focus({ preventScroll: true })
    setEditing(edited)
  }
  return (
    <>
      <Menu position="bottom-start" width={280} classNames={{ itemLabel: classes['label'] ?? '' }}>
        <Menu.Target>
          <Button
            ref={opener}
            variant="default"
            // On a phone, the list without a view has the icon only.
            className={(view === undefined ? button['collapsing'] : classes['button']) ?? ''}
            leftSection={<IconBookmark size={16} aria-hidden />}
            {...(changed ? { 'aria-label': `${view.name} (changed)` } : {})}
          >
            <span className={classes['current']}>{view === undefined ? 'Views' : view.name}</span>
            {changed && <span className={classes['changed']}>(changed)</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ViewMenuItems list={list} changed={changed} onOpen={openView} onEdit={edit} />
        </Menu.Dropdown>
      </Menu>
      {editing !== null && (
        <ViewDialog list={list} view={editing === 'new' ? null : editing} onOpen={openView} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

/** Opens a view as it is stored or, without one, the whole list. */
function useOpenView({ dropDraft }: List) {
  const navigate = useNavigate()
  return (opened: SavedView | null) => {
    dropDraft()
    void navigate({ to: '.', search: (params: Partial<SearchParams>) => viewParams(params, opened), resetScroll: false })
  }
}
