import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { useSetup } from '../queries.ts'
import { SampleNotice } from '../SampleNotice.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SetupCard.module.css'

/** Whether this document has shown the setup on its own: it does so once, and the home page can be opened after that. */
let hasLanded = false

/** On the home page of level 1: the way to the setup, until all of it is done or skipped. With an empty database the setup opens by itself. */
export const SetupCard = () => {
  const { data: setup } = useSetup()
  const navigate = useNavigate()
  const open = setup?.steps.filter(({ state }) => state === 'open').length ?? 0
  const isDue = setup?.isEmpty === true && open > 0 && !hasLanded
  useEffect(() => {
    if (!isDue) return
    hasLanded = true
    void navigate({ to: '/setup', replace: true })
  }, [isDue, navigate])
  if (!setup) return null
  if (setup.sample) return <SampleNotice sample={setup.sample} />
  if (open === 0 || !(setup.isBegun || setup.isEmpty)) return null
  return (
    <section className={`${layoutClasses.card} ${layoutClasses.spreadRow} ${classes.card}`} aria-labelledby="setup">
      <div>
        <h2 id="setup">Set up Homeroom</h2>
        <p className={textClasses.dimmed}>{open === 1 ? '1 step is' : `${open} steps are`} still open.</p>
      </div>
      <Button component={Link} to="/setup">
        Continue
      </Button>
    </section>
  )
}
