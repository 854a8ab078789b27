import sys

from quiz.cli import main

if __name__ == "__main__":
    sys.exit(main())
