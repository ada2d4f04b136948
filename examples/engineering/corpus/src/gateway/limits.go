// Package gateway lets requests in and keeps too many of them out.
package gateway

// DefaultRequestsPerMinute is what a client without a plan may send.
const DefaultRequestsPerMinute = 600

// Limiter counts the requests of one client.
type Limiter struct {
	PerMinute int
	seen      int
}

// Allow says whether one more request may pass in this minute.
func (l *Limiter) Allow() bool {
	if l.seen >= l.PerMinute {
		return false
	}
	l.seen++
	return true
}
