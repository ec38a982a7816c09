import { Component, type ReactNode } from 'react'
import { FailureAlert } from './failure.tsx'

/** Shows the error of a page that fails to render. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <FailureAlert error={error} retry={() => this.setState({ error: undefined })} />
  }
}
