package culler

import (
	"os"
	"strconv"
	"time"
)

const defaultIdleMinutes = "1440"

// IdleTime returns how long a notebook may be idle before it is stopped.
func IdleTime() time.Duration {
	value := os.Getenv("CULL_IDLE_TIME")
	if value == "" {
		value = defaultIdleMinutes
	}
	minutes, err := strconv.Atoi(value)
	if err != nil {
		minutes, _ = strconv.Atoi(defaultIdleMinutes)
	}
	return time.Duration(minutes) * time.Minute
}

// IsEnabled says whether idle notebooks are stopped at all; they are not unless ENABLE_CULLING is "true".
func IsEnabled() bool {
	return os.Getenv("ENABLE_CULLING") == "true"
}
