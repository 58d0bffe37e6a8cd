import { Button, CloseButton, FocusTrap, Portal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { paths } from '#web/paths.ts'
import type { TourStep } from './steps.ts'
import classes from './tour.module.css'
import { useTarget } from './use-target.ts'

interface TourProps {
  account: Account
  steps: readonly TourStep[]
  onClose: () => void
}

/** A welcome, then one slide for each step, with what it is about lit up behind it. Arrow keys turn the slides, Escape ends the tour. */
export function Tour({ account, steps, onClose }: TourProps) {
  const navigate = useNavigate()
  const [slide, setSlide] = useState(0)
  const step = steps[slide - 1]
  const target = useTarget(step?.target)
  const go = (next: number) => {
    if (next < 0 || next > steps.length) return
    const tab = steps[next - 1]?.tab
    if (tab !== undefined) void navigate({ to: paths.account(account.id), search: { tab }, replace: true, resetScroll: false })
    setSlide(next)
  }
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'ArrowRight') go(slide + 1)
    if (key === 'ArrowLeft') go(slide - 1)
    if (key === 'Escape') onClose()
  })
  const place = target === null ? 'center' : target.top + target.height / 2 < window.innerHeight / 2 ? 'end' : 'start'
  return (
    <Portal>
      {target !== null && (
        <div
          className={classes['light']}
          style={{ top: target.top, left: target.left, width: target.width, height: target.height }}
          aria-hidden
        />
      )}
      <Slide title={step?.title ?? `Welcome to ${account.name.text}`} place={place} isDimmed={target === null} onClose={onClose}>
        <p className={classes['text']}>{step?.text ?? 'A short tour shows where everything is. It takes less than a minute.'}</p>
        <div className={classes['foot']}>
          <span className={classes['count']} aria-live="polite">
            {slide + 1} of {steps.length + 1} slides
          </span>
          <Buttons slide={slide} last={steps.length} go={go} onClose={onClose} />
        </div>
      </Slide>
    </Portal>
  )
}

interface SlideProps {
  title: string
  place: 'start' | 'center' | 'end'
  isDimmed: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog without the component for dialogs, which guests would load for the tour alone. The focus stays in it and returns afterwards. */
function Slide({ title, place, isDimmed, onClose, children }: SlideProps) {
  const id = useId()
  const [focused] = useState(() => document.activeElement)
  useEffect(() => () => void (focused instanceof HTMLElement && focused.focus({ preventScroll: true })), [focused])
  return (
    <div className={classes['cover']} data-dimmed={isDimmed || undefined} style={{ alignItems: place }}>
      <FocusTrap active>
        <section className={classes['slide']} role="dialog" aria-modal="true" aria-labelledby={id} tabIndex={-1}>
          <div className={classes['head']}>
            <h2 id={id}>{title}</h2>
            <CloseButton aria-label="Skip Tour" onClick={onClose} />
          </div>
          {children}
        </section>
      </FocusTrap>
    </div>
  )
}

interface ButtonsProps {
  slide: number
  last: number
  go: (slide: number) => void
  onClose: () => void
}

/** The button that goes on has the focus; each slide has its own, so that the focus moves with them. */
function Buttons({ slide, last, go, onClose }: ButtonsProps) {
  if (slide === 0)
    return (
      <>
        <Button variant="default" onClick={onClose}>
          Skip Tour
        </Button>
        <Button key="start" autoFocus data-autofocus onClick={() => go(1)}>
          Start Tour
        </Button>
      </>
    )
  const isLast = slide === last
  return (
    <>
      <Button variant="default" onClick={() => go(slide - 1)}>
        Previous
      </Button>
      {isLast && (
        <Button variant="default" onClick={() => go(0)}>
          Back to Beginning
        </Button>
      )}
      <Button key={isLast ? 'finish' : 'next'} autoFocus onClick={isLast ? onClose : () => go(slide + 1)}>
        {isLast ? 'Finish' : 'Next'}
      </Button>
    </>
  )
}
