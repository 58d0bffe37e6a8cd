import { Button, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import type { Account } from '#contract/accounts.ts'
import { paths } from '#web/paths.ts'
import type { TourStep } from './steps.ts'
import classes from './tour.module.css'
import { useTarget } from './use-target.ts'

const WIDTH_PX = 640

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
    // The targets of the steps are on this tab, or on the row of tabs.
    if (slide === 0 && next === 1) void navigate({ to: paths.account(account.id), search: { tab: 'overview' }, replace: true })
    setSlide(next)
  }
  const turn = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') go(slide + 1)
    if (event.key === 'ArrowLeft') go(slide - 1)
  }
  const place = target === null ? 'center' : target.top + target.height / 2 < window.innerHeight / 2 ? 'end' : 'start'
  return (
    <>
      {target !== null && (
        <div
          className={classes['light']}
          style={{ top: target.top, left: target.left, width: target.width, height: target.height }}
          aria-hidden
        />
      )}
      <Modal
        opened
        onClose={onClose}
        size={WIDTH_PX}
        title={step?.title ?? `Welcome to ${account.name.text}`}
        closeButtonProps={{ 'aria-label': 'Skip Tour' }}
        closeOnClickOutside={false}
        overlayProps={target === null ? {} : { backgroundOpacity: 0 }}
        styles={{ inner: { alignItems: place } }}
        zIndex={400}
        onKeyDown={turn}
      >
        <p className={classes['text']}>{step?.text ?? 'A short tour shows where everything is. It takes less than a minute.'}</p>
        <div className={classes['foot']}>
          <span className={classes['count']} aria-live="polite">
            {slide + 1} of {steps.length + 1} slides
          </span>
          <Buttons slide={slide} last={steps.length} go={go} onClose={onClose} />
        </div>
      </Modal>
    </>
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
