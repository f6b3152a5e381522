# The key window of an app with one window
expect none
--- Toast.swift
func show() { UIApplication.shared.keyWindow?.addSubview(toast) }
